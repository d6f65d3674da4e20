#include "workers.h"

#include <pthread.h>

enum { MOST_WORKERS = 64 };

typedef struct Call {
    void (*work)(void* context);
    void* context;
} Call;

static void* call(void* argument) {
    const Call* what = argument;
    what->work(what->context);
    return NULL;
}

void workers_run(int threads, void (*work)(void* context), void* context) {
    Call what = {work, context};
    pthread_t started[MOST_WORKERS];
    int count = 0;
    while (count < threads - 1 && count < MOST_WORKERS) {
        if (pthread_create(&started[count], NULL, call, &what)) break;
        count++;
    }
    work(context);
    while (count-- > 0)
        pthread_join(started[count], NULL);
}
