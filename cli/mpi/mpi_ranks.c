// SPDX-License-Identifier: MIT
#include "mpi_ranks.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { TAG = 7 };

/// A message under way.
typedef struct Pending {
    MPI_Request request;
    int from; ///< the rank that it comes from; -1 = it is sent
} Pending;

static struct {
    Pending* pending;
    int count, room; ///< of messages under way, and how many there is room for
    GullyStatus (*fail)(GullyStatus, const char*, ...);
} state;

/// Makes room for one more message.
static bool has_room(void) {
    if (state.count < state.room) return true;
    const int room = 2 * state.room + 16;
    Pending* pending = realloc(state.pending, (size_t)room * sizeof *pending);
    if (!pending) return false;
    state.pending = pending;
    state.room = room;
    return true;
}

static GullyStatus begin(void* context, const GullyMessage* messages, int count) {
    (void)context;
    for (int i = 0; i < count; i++) {
        const GullyMessage* message = &messages[i];
        const int size = message->size > INT_MAX ? INT_MAX : (int)message->size;
        if (message->sends && message->size > INT_MAX)
            return state.fail(GULLY_FAILED,
                              "a message of %.1f GB to another rank; MPI allows 2 GB: give ranks "
                              "fewer steps in a visit (less --memory)",
                              (double)message->size / 1e9);
        if (!has_room()) return state.fail(GULLY_NO_MEMORY, "no memory for messages");
        Pending* pending = &state.pending[state.count++];
        MPI_Request* request = &pending->request;
        pending->from = message->sends ? -1 : message->rank;
        if (message->sends)
            MPI_Isend(message->bytes, size, MPI_BYTE, message->rank, TAG, MPI_COMM_WORLD, request);
        else
            MPI_Irecv(message->bytes, size, MPI_BYTE, message->rank, TAG, MPI_COMM_WORLD, request);
    }
    return GULLY_OK;
}

/// Waiting: at first without giving the processor away, as MPI does all the time; a rank that waits for
/// longer would take it from those it waits for, where there are more ranks than processors.
static void pause_after(int tries) {
    enum { TRIES = 2000, PAUSE = 20000 }; // PAUSE in nanoseconds
    if (tries >= TRIES) nanosleep(&(struct timespec){.tv_nsec = PAUSE}, NULL);
}

enum { ALL = -2 };

/// Whether messages are through: those from a rank, or ALL. Lets the others go on as well.
static bool are_through(int from) {
    bool all = true;
    for (int i = 0; i < state.count; i++) {
        int done;
        MPI_Test(&state.pending[i].request, &done, MPI_STATUS_IGNORE);
        if (from == ALL || from == state.pending[i].from) all &= done != 0;
    }
    return all;
}

static GullyStatus receive(void* context, int rank) {
    (void)context;
    for (int tries = 0; !are_through(rank); tries++)
        pause_after(tries);
    return GULLY_OK;
}

static GullyStatus finish(void* context) {
    GullyStatus status = receive(context, ALL);
    state.count = 0;
    return status;
}

static void progress(void* context) {
    (void)context;
    are_through(ALL);
}

static GullyStatus gather(void* context, const void* bytes, size_t size, void* all) {
    (void)context;
    MPI_Request request;
    MPI_Iallgather(bytes, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, MPI_COMM_WORLD, &request);
    for (int tries = 0, done = 0; !done; tries++) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done) pause_after(tries);
    }
    return GULLY_OK;
}

static void close_ranks(void) {
    MPI_Finalize();
}

static void abort_ranks(int code) {
    MPI_Abort(MPI_COMM_WORLD, code);
}

/// Ranks that share the memory of this machine.
static int count_local(void) {
    MPI_Comm local;
    int count = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local);
    MPI_Comm_size(local, &count);
    MPI_Comm_free(&local);
    return count;
}

__attribute__((visibility("default"))) MpiOpen gully_mpi_open;

/// Failures of MPI itself end the job, as MPI does by itself.
const MpiRanks* gully_mpi_open(GullyStatus (*fail)(GullyStatus, const char*, ...)) {
    static MpiRanks ranks = {.version = MPI_RANKS_VERSION,
                             .ranks = {.begin = begin,
                                       .finish = finish,
                                       .receive = receive,
                                       .progress = progress,
                                       .gather = gather},
                             .close = close_ranks,
                             .abort = abort_ranks};
    int provided;
    state.fail = fail;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS) return NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.ranks.count);
    ranks.ranks.local = count_local();
    return &ranks;
}
