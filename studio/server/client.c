// SPDX-License-Identifier: MIT
#include "client.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "frame.h"
#include "line.h"
#include "shot.h"

enum { WHOLE_SHOT = 4 };         ///< every so many shots look at all planes
enum { QUEUE_BYTES = 16 << 20 }; ///< of texts that wait for a client

/// Share of a processor's time that may go into packing and sending frames to a client.
static const double SEND_SHARE = 0.1;

typedef struct Text {
    struct Text* next;
    int64_t order; ///< among the texts and shots of the client
    size_t size;
    LineKind kind;
    char bytes[];
} Text;

typedef enum ShotState {
    SHOT_FREE,    ///< the engine may take one
    SHOT_TAKING,  ///< the engine does
    SHOT_PACKING, ///< the sender packs and sends it
} ShotState;

struct Client {
    int64_t number;
    void* line;
    bool has_sender;
    pthread_t sender;
    pthread_mutex_t
        mutex; ///< of all that follows but the shot, which belongs to whom its state says
    pthread_cond_t wake;
    bool closing; ///< the sender is to end
    bool dead;    ///< nothing can be sent any more
    bool unseen;  ///< nobody looks at the page
    Text *first, **last;
    size_t queued; ///< [bytes]
    Want* want;
    uint32_t sent, acked; ///< frames
    ShotState state;
    int64_t order;      ///< of what came last
    int64_t shot_order; ///< of the shot
    int64_t moment;     ///< of the last shot
    unsigned shots;     ///< that were taken
    bool partial;       ///< the last one had only what moves
    double rested;      ///< when the next frame may come, by the clock [s], if it is not urgent
    Shot shot;
    Framer* framer;
};

// ---- texts --------------------------------------------------------------------------------------

static void client_drop(Client* client) {
    client->dead = true;
    pthread_cond_signal(&client->wake);
    line_drop(client->line);
}

static void queue_bytes(Client* client, LineKind kind, const void* bytes, size_t size) {
    Text* text = malloc(sizeof *text + size);
    pthread_mutex_lock(&client->mutex);
    if (client->dead || !text || client->queued + size > QUEUE_BYTES) {
        if (!client->dead) client_drop(client);
        free(text);
    } else {
        *text = (Text){.order = ++client->order, .size = size, .kind = kind};
        memcpy(text->bytes, bytes, size);
        *client->last = text;
        client->last = &text->next;
        client->queued += size;
        pthread_cond_signal(&client->wake);
    }
    pthread_mutex_unlock(&client->mutex);
}

/// Takes the first text, which then belongs to the caller.
static Text* take_text(Client* client) {
    Text* text = client->first;
    if (!text) return NULL;
    client->first = text->next;
    if (!client->first) client->last = &client->first;
    client->queued -= text->size;
    return text;
}

// ---- the sender ---------------------------------------------------------------------------------

/// Sends the shot as a frame; `taken` is the time that it took the processor [s].
static bool send_frame(Client* client, uint32_t number, double* taken) {
    double before = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    size_t size;
    const void* bytes = framer_pack(client->framer, &client->shot, number, &size);
    bool sent = bytes && line_write(client->line, LINE_BYTES, bytes, size);
    *taken = clock_seconds(CLOCK_THREAD_CPUTIME_ID) - before;
    return sent;
}

/// What is older goes first: a frame that follows an answer has in it what was answered.
static bool frame_is_next(const Client* client) {
    return client->state == SHOT_PACKING &&
           !(client->first && client->first->order < client->shot_order);
}

/// Sends what is next; false if nothing waits. The mutex is held, and let go of meanwhile.
static bool send_next(Client* client) {
    bool frame = frame_is_next(client);
    Text* text = frame ? NULL : take_text(client);
    if (!text && !frame) return false;
    uint32_t number = frame ? ++client->sent : 0;
    double taken = 0;
    pthread_mutex_unlock(&client->mutex);
    bool sent = frame ? send_frame(client, number, &taken)
                      : line_write(client->line, text->kind, text->bytes, text->size);
    free(text);
    pthread_mutex_lock(&client->mutex);
    if (frame) {
        client->state = SHOT_FREE;
        client->rested = clock_seconds(CLOCK_MONOTONIC) - taken + taken / SEND_SHARE;
    }
    if (!sent) client_drop(client);
    return true;
}

static void* send_all(void* argument) {
    Client* client = argument;
    pthread_mutex_lock(&client->mutex);
    while (!client->closing && !client->dead)
        if (!send_next(client)) pthread_cond_wait(&client->wake, &client->mutex);
    pthread_mutex_unlock(&client->mutex);
    return NULL;
}

void clients_serve(Clients* clients) {
    for (int i = 0; i < CLIENTS; i++) {
        Client* client = clients->list[i];
        if (!client) continue;
        pthread_mutex_lock(&client->mutex);
        while (!client->dead && send_next(client)) {
        }
        pthread_mutex_unlock(&client->mutex);
    }
}

// ---- coming and going ---------------------------------------------------------------------------

void clients_create(Clients* clients, bool senders) {
    *clients = (Clients){.senders = senders};
    pthread_mutex_init(&clients->mutex, NULL);
}

void clients_destroy(Clients* clients) {
    pthread_mutex_destroy(&clients->mutex);
}

static void client_free(Client* client) {
    for (Text* text; (text = take_text(client));)
        free(text);
    want_drop(client->want);
    shot_free(&client->shot);
    framer_destroy(client->framer);
    pthread_mutex_destroy(&client->mutex);
    pthread_cond_destroy(&client->wake);
    free(client);
}

static Client* client_create(void* line, bool sender) {
    Client* client = calloc(1, sizeof *client);
    if (!client) return NULL;
    pthread_mutex_init(&client->mutex, NULL);
    pthread_cond_init(&client->wake, NULL);
    client->line = line;
    client->has_sender = sender;
    client->last = &client->first;
    client->moment = -1;
    client->framer = framer_create();
    if (client->framer && (!sender || pthread_create(&client->sender, NULL, send_all, client) == 0))
        return client;
    client_free(client);
    return NULL;
}

static void client_end(Client* client) {
    pthread_mutex_lock(&client->mutex);
    client->closing = true;
    pthread_cond_signal(&client->wake);
    pthread_mutex_unlock(&client->mutex);
    if (client->has_sender) pthread_join(client->sender, NULL);
    client_free(client);
}

Client* clients_add(Clients* clients, void* line) {
    Client* client = client_create(line, clients->senders);
    if (!client) return NULL;
    bool placed = false;
    pthread_mutex_lock(&clients->mutex);
    client->number = ++clients->last;
    for (int i = 0; i < CLIENTS && !placed; i++)
        if ((placed = !clients->list[i])) clients->list[i] = client;
    pthread_mutex_unlock(&clients->mutex);
    if (placed) return client;
    client_end(client);
    return NULL;
}

void clients_remove(Clients* clients, Client* client) {
    pthread_mutex_lock(&clients->mutex);
    for (int i = 0; i < CLIENTS; i++)
        if (clients->list[i] == client) clients->list[i] = NULL;
    pthread_mutex_unlock(&clients->mutex);
    client_end(client);
}

int64_t client_number(const Client* client) {
    return client->number;
}

int clients_count(Clients* clients) {
    int count = 0;
    pthread_mutex_lock(&clients->mutex);
    for (int i = 0; i < CLIENTS; i++)
        count += clients->list[i] != NULL;
    pthread_mutex_unlock(&clients->mutex);
    return count;
}

int clients_watching(Clients* clients) {
    int count = 0;
    pthread_mutex_lock(&clients->mutex);
    for (int i = 0; i < CLIENTS; i++) {
        Client* client = clients->list[i];
        if (!client) continue;
        pthread_mutex_lock(&client->mutex);
        count += !client->unseen && !client->dead;
        pthread_mutex_unlock(&client->mutex);
    }
    pthread_mutex_unlock(&clients->mutex);
    return count;
}

/// To one, or with 0 to all.
static void send_to(Clients* clients, int64_t number, LineKind kind, const void* bytes,
                    size_t size) {
    pthread_mutex_lock(&clients->mutex);
    for (int i = 0; i < CLIENTS; i++) {
        Client* client = clients->list[i];
        if (client && (number == 0 || client->number == number))
            queue_bytes(client, kind, bytes, size);
    }
    pthread_mutex_unlock(&clients->mutex);
}

void clients_send(Clients* clients, int64_t number, const char* text) {
    send_to(clients, number, LINE_TEXT, text, strlen(text));
}

void clients_send_bytes(Clients* clients, int64_t number, const void* bytes, size_t size) {
    send_to(clients, number, LINE_BYTES, bytes, size);
}

void clients_part(Clients* clients) {
    static const unsigned char going_away[] = {1001 >> 8, 1001 & 255};
    pthread_mutex_lock(&clients->mutex);
    for (int i = 0; i < CLIENTS; i++)
        if (clients->list[i])
            queue_bytes(clients->list[i], LINE_CLOSE, going_away, sizeof going_away);
    pthread_mutex_unlock(&clients->mutex);
    const struct timespec pause = {.tv_nsec = 5000000};
    for (int i = 0; i < 100 && clients_count(clients) > 0; i++)
        nanosleep(&pause, NULL);
}

// ---- frames -------------------------------------------------------------------------------------

static void set_want(Client* client, Want* want) {
    pthread_mutex_lock(&client->mutex);
    Want* before = client->want;
    client->want = want;
    client->moment = -1;
    pthread_mutex_unlock(&client->mutex);
    want_drop(before);
}

void client_want(Client* client, Want* want) {
    set_want(client, want_hold(want));
}

void client_ack(Client* client, uint32_t frame) {
    pthread_mutex_lock(&client->mutex);
    if (frame <= client->sent && frame > client->acked) client->acked = frame;
    pthread_mutex_unlock(&client->mutex);
}

void client_watch(Client* client, bool on) {
    pthread_mutex_lock(&client->mutex);
    client->unseen = !on;
    pthread_mutex_unlock(&client->mutex);
}

void client_hush(Client* client) {
    pthread_mutex_lock(&client->mutex);
    client->dead = true;
    pthread_cond_signal(&client->wake);
    pthread_mutex_unlock(&client->mutex);
}

void clients_forget(Clients* clients) {
    pthread_mutex_lock(&clients->mutex);
    for (int i = 0; i < CLIENTS; i++)
        if (clients->list[i]) set_want(clients->list[i], NULL);
    pthread_mutex_unlock(&clients->mutex);
}

/// To be asked with the client's mutex held.
static bool is_ready(const Client* client, int64_t moment, double now) {
    return now >= client->rested && client->want && client->want->count > 0 && !client->dead &&
           client->state == SHOT_FREE && client->acked == client->sent &&
           (client->moment != moment || client->partial);
}

double clients_ready_at(Clients* clients, int64_t moment) {
    double when = INFINITY;
    pthread_mutex_lock(&clients->mutex);
    for (int i = 0; i < CLIENTS; i++) {
        Client* client = clients->list[i];
        if (!client) continue;
        pthread_mutex_lock(&client->mutex);
        if (is_ready(client, moment, INFINITY)) when = fmin(when, client->rested);
        pthread_mutex_unlock(&client->mutex);
    }
    pthread_mutex_unlock(&clients->mutex);
    return when;
}

/// The planes that a shot looks at: all of a new list, and when nothing happens any more; else
/// those in which an edit, if it was one, or steps are seen, now and then all.
static unsigned planes_to_take(Client* client, int64_t moment, bool edit) {
    if (client->moment < 0 || client->moment == moment) return ~0u;
    if (edit) return EDITED_PLANES;
    return ++client->shots % WHOLE_SHOT ? MOVING_PLANES : ~0u;
}

static GullyStatus shoot(Client* client, const Scenery* scenery, double now) {
    const int64_t moment = scenery->moment;
    pthread_mutex_lock(&client->mutex);
    const bool shows = is_ready(client, moment, now) && client->want->planes & scenery->planes;
    Want* want = shows ? want_hold(client->want) : NULL;
    unsigned planes = want ? want->planes : 0;
    if (want) {
        planes &= planes_to_take(client, moment, isinf(now)) & scenery->planes;
        client->partial = planes != want->planes;
        client->state = SHOT_TAKING;
        client->shot_order = ++client->order;
        client->moment = moment;
    }
    pthread_mutex_unlock(&client->mutex);
    if (!want) return GULLY_OK;
    GullyStatus status = shot_take(&client->shot, scenery, want, planes);
    want_drop(want);
    pthread_mutex_lock(&client->mutex);
    client->state = SHOT_PACKING;
    pthread_cond_signal(&client->wake);
    pthread_mutex_unlock(&client->mutex);
    return status;
}

unsigned clients_planes(Clients* clients) {
    unsigned planes = 0;
    pthread_mutex_lock(&clients->mutex);
    for (int i = 0; i < CLIENTS; i++) {
        Client* client = clients->list[i];
        if (!client) continue;
        pthread_mutex_lock(&client->mutex);
        if (client->want) planes |= client->want->planes;
        pthread_mutex_unlock(&client->mutex);
    }
    pthread_mutex_unlock(&clients->mutex);
    return planes;
}

GullyStatus clients_shoot(Clients* clients, const Scenery* scenery, double now) {
    GullyStatus worst = GULLY_OK;
    pthread_mutex_lock(&clients->mutex);
    for (int i = 0; i < CLIENTS; i++) {
        if (!clients->list[i]) continue;
        GullyStatus status = shoot(clients->list[i], scenery, now);
        if (status != GULLY_OK) worst = status;
    }
    pthread_mutex_unlock(&clients->mutex);
    return worst;
}
