// SPDX-License-Identifier: MIT
#include "thread_ranks.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8, MOST_RECEIVED = 16 };

/// A message that was sent and not received.
typedef struct Letter {
    struct Letter* next;
    size_t size;
    char bytes[];
} Letter;

typedef struct Office {
    pthread_mutex_t mutex; // of all that follows
    pthread_cond_t moved;
    Letter *first[MOST][MOST], *last[MOST][MOST]; // from, to
    int count, arrived;
    int64_t round; // of gathering
    char* gathered;
} Office;

typedef struct Member {
    GullyRanks ranks;
    Office* office;
    GullyMessage wanted[MOST_RECEIVED];
    int wanted_count;
    int64_t progress;
    void (*run)(const GullyRanks* ranks, void* context);
    void* context;
} Member;

static void send(Office* office, int from, const GullyMessage* message) {
    Letter* letter = malloc(sizeof *letter + message->size);
    letter->next = NULL;
    letter->size = message->size;
    memcpy(letter->bytes, message->bytes, message->size);
    pthread_mutex_lock(&office->mutex);
    Letter** last = &office->last[from][message->rank];
    if (office->first[from][message->rank])
        (*last)->next = letter;
    else
        office->first[from][message->rank] = letter;
    *last = letter;
    pthread_cond_broadcast(&office->moved);
    pthread_mutex_unlock(&office->mutex);
}

static GullyStatus begin(void* context, const GullyMessage* messages, int count) {
    Member* member = context;
    for (int i = 0; i < count; i++) {
        assert(messages[i].rank != member->ranks.rank);
        if (messages[i].sends)
            send(member->office, member->ranks.rank, &messages[i]);
        else
            member->wanted[member->wanted_count++] = messages[i];
    }
    return GULLY_OK;
}

static void take(const Member* member, const GullyMessage* message) {
    Office* office = member->office;
    Letter** first = &office->first[message->rank][member->ranks.rank];
    pthread_mutex_lock(&office->mutex);
    while (!*first)
        pthread_cond_wait(&office->moved, &office->mutex);
    Letter* letter = *first;
    *first = letter->next;
    pthread_mutex_unlock(&office->mutex);
    assert(letter->size <= message->size);
    memcpy(message->bytes, letter->bytes, letter->size);
    free(letter);
}

static GullyStatus receive(void* context, int rank) {
    Member* member = context;
    int left = 0;
    for (int i = 0; i < member->wanted_count; i++)
        if (member->wanted[i].rank == rank)
            take(member, &member->wanted[i]);
        else
            member->wanted[left++] = member->wanted[i];
    member->wanted_count = left;
    return GULLY_OK;
}

static GullyStatus finish(void* context) {
    const Member* member = context;
    for (int rank = 0; rank < member->office->count; rank++)
        (void)receive(context, rank);
    return GULLY_OK;
}

static void progress(void* context) {
    Member* member = context;
    member->progress++;
}

int64_t thread_ranks_progress(const GullyRanks* ranks) {
    const Member* member = ranks->context;
    return member->progress;
}

/// Waits until all ranks are here.
static void meet(Office* office) {
    const int64_t round = office->round;
    if (++office->arrived == office->count) {
        office->arrived = 0;
        office->round++;
        pthread_cond_broadcast(&office->moved);
    }
    while (office->round == round)
        pthread_cond_wait(&office->moved, &office->mutex);
}

static GullyStatus gather(void* context, const void* bytes, size_t size, void* all) {
    const Member* member = context;
    Office* office = member->office;
    pthread_mutex_lock(&office->mutex);
    if (!office->gathered) office->gathered = malloc((size_t)office->count * size);
    memcpy(office->gathered + (size_t)member->ranks.rank * size, bytes, size);
    meet(office);
    memcpy(all, office->gathered, (size_t)office->count * size);
    meet(office);
    free(office->gathered); // the first of them that goes on; the others find none
    office->gathered = NULL;
    meet(office);
    pthread_mutex_unlock(&office->mutex);
    return GULLY_OK;
}

static void* run_member(void* argument) {
    const Member* member = argument;
    member->run(&member->ranks, member->context);
    return NULL;
}

void thread_ranks_run(int count, void (*run)(const GullyRanks* ranks, void* context),
                      void* context) {
    Office office = {
        .mutex = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER, .count = count};
    Member members[MOST];
    pthread_t threads[MOST];
    assert(count <= MOST);
    for (int i = 0; i < count; i++) {
        members[i] = (Member){
            .ranks = {.rank = i,
                      .count = count,
                      .context = &members[i],
                      .begin = begin,
                      .finish = finish,
                      .receive = receive,
                      .progress = progress,
                      .gather = gather},
            .office = &office,
            .run = run,
            .context = context,
        };
        pthread_create(&threads[i], NULL, run_member, &members[i]);
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}
