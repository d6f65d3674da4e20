// SPDX-License-Identifier: MIT
#include "ranks.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- one process alone --------------------------------------------------------------------------

static GullyStatus begin_alone(void* context, const GullyMessage* messages, int count) {
    (void)context, (void)messages, (void)count;
    assert(count == 0); // there is nobody
    return GULLY_OK;
}

static GullyStatus finish_alone(void* context) {
    (void)context;
    return GULLY_OK;
}

static GullyStatus receive_alone(void* context, int rank) {
    (void)context, (void)rank;
    return GULLY_OK;
}

static void progress_alone(void* context) {
    (void)context;
}

static GullyStatus gather_alone(void* context, const void* bytes, size_t size, void* all) {
    (void)context;
    memcpy(all, bytes, size);
    return GULLY_OK;
}

const GullyRanks* gully_ranks_alone(void) {
    static const GullyRanks alone = {.rank = 0,
                                     .count = 1,
                                     .begin = begin_alone,
                                     .finish = finish_alone,
                                     .receive = receive_alone,
                                     .progress = progress_alone,
                                     .gather = gather_alone};
    return &alone;
}

// ---- messages -----------------------------------------------------------------------------------

static GullyStatus pass(const GullyRanks* ranks, GullyMessage message) {
    GullyStatus status = ranks->begin(ranks->context, &message, 1);
    return status ? status : ranks->finish(ranks->context);
}

GullyStatus ranks_send(const GullyRanks* ranks, int to, const void* bytes, size_t size) {
    return pass(ranks, (GullyMessage){to, true, (void*)bytes, size});
}

GullyStatus ranks_receive(const GullyRanks* ranks, int from, void* bytes, size_t size) {
    return pass(ranks, (GullyMessage){from, false, bytes, size});
}

// ---- answers ------------------------------------------------------------------------------------

/// What a rank says of its failure.
typedef struct Failure {
    char message[1024];
} Failure;

/// Gathers `size` bytes of every rank; free() them. NULL with a message without memory: then this
/// rank cannot go on, and the others end with it.
static void* gather(const GullyRanks* ranks, const void* bytes, size_t size, GullyStatus* status) {
    char* all = malloc((size_t)ranks->count * size);
    *status = all ? ranks->gather(ranks->context, bytes, size, all)
                  : gully_fail(GULLY_NO_MEMORY, "no memory for %d ranks", ranks->count);
    if (!*status) return all;
    free(all);
    return NULL;
}

/// What all ranks have agreed on last, if that was a failure: they need not do so again on their way
/// out, where a rank that failed alone meets those that have heard of it.
static _Thread_local char agreed[sizeof(Failure)];

/// Whether the message that there is, perhaps with more before it, is the one they have agreed on.
static bool is_agreed(void) {
    const char* message = gully_message();
    const size_t length = strlen(message), known = strlen(agreed);
    return known > 0 && length >= known && strcmp(message + length - known, agreed) == 0;
}

/// Every rank says what failed, since one has.
static GullyStatus share_failure(const GullyRanks* ranks, GullyStatus failed, int first) {
    Failure own = {""};
    GullyStatus status;
    snprintf(own.message, sizeof own.message, "%s", gully_message());
    Failure* all = gather(ranks, &own, sizeof own, &status);
    if (!all) return status;
    gully_fail(failed, "%s", all[first].message);
    memcpy(agreed, all[first].message, sizeof agreed);
    free(all);
    return failed;
}

GullyStatus gully_ranks_agree(const GullyRanks* ranks, GullyStatus status) {
    return status && is_agreed() ? status : ranks_agree_anew(ranks, status);
}

GullyStatus ranks_agree_anew(const GullyRanks* ranks, GullyStatus status) {
    if (!ranks_share(ranks)) return status;
    GullyStatus failed, *all = gather(ranks, &status, sizeof status, &failed);
    if (!all) return failed;
    int first = 0;
    while (first < ranks->count && all[first] == GULLY_OK)
        first++;
    failed = first < ranks->count ? all[first] : GULLY_OK;
    free(all);
    agreed[0] = '\0';
    return failed ? share_failure(ranks, failed, first) : GULLY_OK;
}

GullyStatus ranks_add(const GullyRanks* ranks, GullyStatus status, void* sums, int count) {
    status = gully_ranks_agree(ranks, status);
    if (status || !ranks_share(ranks)) return status;
    const size_t size = (size_t)count * sizeof(RankSum);
    char* all = gather(ranks, sums, size, &status);
    if (!all) return status;
    for (int i = 0; i < count; i++) {
        RankSum sum = 0, number;
        for (int rank = 0; rank < ranks->count; rank++) {
            memcpy(&number, all + (size_t)rank * size + (size_t)i * sizeof number, sizeof number);
            sum += number;
        }
        memcpy((char*)sums + (size_t)i * sizeof sum, &sum, sizeof sum);
    }
    free(all);
    return GULLY_OK;
}

GullyStatus ranks_range(const GullyRanks* ranks, GullyStatus status, double* low, double* high) {
    status = gully_ranks_agree(ranks, status);
    if (status || !ranks_share(ranks)) return status;
    const double own[2] = {*low, *high};
    double* all = gather(ranks, own, sizeof own, &status);
    if (!all) return status;
    for (int rank = 0; rank < ranks->count; rank++) {
        *low = all[2 * rank] < *low ? all[2 * rank] : *low;
        *high = all[2 * rank + 1] > *high ? all[2 * rank + 1] : *high;
    }
    free(all);
    return GULLY_OK;
}

GullyStatus gully_ranks_most(const GullyRanks* ranks, GullyStatus status, int64_t* number) {
    status = gully_ranks_agree(ranks, status);
    if (status || !ranks_share(ranks)) return status;
    int64_t* all = gather(ranks, number, sizeof *number, &status);
    if (!all) return status;
    for (int rank = 0; rank < ranks->count; rank++)
        *number = all[rank] > *number ? all[rank] : *number;
    free(all);
    return GULLY_OK;
}
