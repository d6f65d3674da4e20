#include "mpi_ranks.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { TAG = 7 };

static struct {
    MPI_Request* requests;
    int count, room; ///< under way, and how many there is room for
    GullyStatus (*fail)(GullyStatus, const char*, ...);
} state;

/// Makes room for one more message.
static bool has_room(void) {
    if (state.count < state.room) return true;
    const int room = 2 * state.room + 16;
    MPI_Request* requests = realloc(state.requests, (size_t)room * sizeof *requests);
    if (!requests) return false;
    state.requests = requests;
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
        MPI_Request* request = &state.requests[state.count++];
        if (message->sends)
            MPI_Isend(message->bytes, size, MPI_BYTE, message->rank, TAG, MPI_COMM_WORLD, request);
        else
            MPI_Irecv(message->bytes, size, MPI_BYTE, message->rank, TAG, MPI_COMM_WORLD, request);
    }
    return GULLY_OK;
}

/// Waits: at first without giving the processor away, as MPI does all the time; a rank that waits for
/// longer would take it from those it waits for, where there are more ranks than processors.
static void wait_for(int count, MPI_Request* requests) {
    enum { TRIES = 2000, PAUSE = 20000 }; // PAUSE in nanoseconds
    for (int tries = 0, done = 0;; tries++) {
        MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
        if (done) return;
        if (tries >= TRIES) nanosleep(&(struct timespec){.tv_nsec = PAUSE}, NULL);
    }
}

static GullyStatus finish(void* context) {
    (void)context;
    wait_for(state.count, state.requests);
    state.count = 0;
    return GULLY_OK;
}

static GullyStatus gather(void* context, const void* bytes, size_t size, void* all) {
    (void)context;
    MPI_Request request;
    MPI_Iallgather(bytes, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, MPI_COMM_WORLD, &request);
    wait_for(1, &request);
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
                             .ranks = {.begin = begin, .finish = finish, .gather = gather},
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
