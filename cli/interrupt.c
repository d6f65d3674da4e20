// SPDX-License-Identifier: MIT
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

// A signal may come on any thread.
static atomic_int asked;
static atomic_int patience = 1; ///< signals that only ask

static const char* last_words; ///< on SIGTERM

static void on_signal(int number) {
    if (number == SIGTERM && last_words && asked == 0) {
        const ssize_t written = write(STDERR_FILENO, last_words, strlen(last_words));
        (void)written;
    }
    if (atomic_fetch_add(&asked, 1) + 1 > patience) _exit(EXIT_INTERRUPTED);
}

void interrupt_watch_rank(const char* text) {
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    last_words = text;
    interrupt_watch();
    sigaction(SIGUSR1, &action, NULL);
}

void interrupt_watch(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction before;
        sigaction(signals[i], NULL, &before);
        bool nohup = signals[i] == SIGHUP && before.sa_handler == SIG_IGN;
        if (!nohup) sigaction(signals[i], &action, NULL);
    }
}

int interrupt_asked(void) {
    return asked;
}

void interrupt_hold(bool on) {
    patience = on ? 2 : 1;
}
