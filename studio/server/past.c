// SPDX-License-Identifier: MIT
#include "past.h"

#include "frame.h"

enum { PAST_TILES = 64 }; ///< at once: texts and frames of others wait behind them

GullyStatus past_send(Engine* engine, const Command* command) {
    Want* want = command->message.want;
    const GullyMoment* was = gully_session_reference(engine->session);
    if (!was) return gully_fail(GULLY_BAD_INPUT, "was: nothing is compared; compare comes first");
    if (want->count > PAST_TILES)
        return gully_fail(GULLY_BAD_INPUT, "was: %d tiles; allowed: up to %d", want->count,
                          PAST_TILES);
    const Scenery scenery = {.sim = gully_session_sim(engine->session),
                             .was = was,
                             .planes = ~0u,
                             .session = engine->session_number};
    Shot shot = {0};
    Framer* framer = framer_create();
    size_t size = 0;
    GullyStatus status = framer ? shot_take(&shot, &scenery, want, want->planes)
                                : gully_fail(GULLY_NO_MEMORY, "no memory for a picture");
    const void* bytes = status == GULLY_OK ? framer_pack(framer, &shot, 0, &size) : NULL;
    if (bytes)
        clients_send_bytes(&engine->clients, command->client, bytes, size);
    else if (status == GULLY_OK)
        status = gully_fail(GULLY_NO_MEMORY, "no memory for a picture");
    framer_destroy(framer);
    shot_free(&shot);
    return status;
}
