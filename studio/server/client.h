// SPDX-License-Identifier: MIT
/// The pages that are connected: what they want, what they get, and the thread that sends it.
///
/// A page never makes anyone wait but the thread that sends to it. What it is sent waits in a queue
/// of its own; if that gets too long, or nothing can be written for a while, it is dropped.
#ifndef STUDIO_CLIENT_H
#define STUDIO_CLIENT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "shot.h"

enum { CLIENTS = 16 };

typedef struct Client Client;

typedef struct Clients {
    pthread_mutex_t mutex; ///< of the list; held while a shot is taken, so that no client goes away
    Client* list[CLIENTS]; ///< NULL = a free place
    int64_t last;          ///< number of the client that came last
    bool senders;          ///< each client has a thread that sends; else clients_serve does
} Clients;

void clients_create(Clients* clients, bool senders);
void clients_destroy(Clients* clients); ///< when all have gone

// ---- on the thread that reads from the page

/// Someone at the other end of a line. NULL if there are too many, or no memory.
Client* clients_add(Clients* clients, void* line);

/// Waits until nothing is being sent.
void clients_remove(Clients* clients, Client* client);

int64_t client_number(const Client* client); ///< from 1
void client_want(Client* client, Want* want);
void client_ack(Client* client, uint32_t frame);
void client_watch(Client* client, bool on); ///< somebody looks at the page; at first it is so

/// Nothing more is to be sent.
void client_hush(Client* client);

/// Sends all that waits, where no thread does.
void clients_serve(Clients* clients);

// ---- on any thread

int clients_count(Clients* clients);
int clients_watching(Clients* clients); ///< of these, those that somebody looks at

/// Sends a text to a client, if it is still there; 0 = to all.
void clients_send(Clients* clients, int64_t number, const char* text);

/// Sends bytes to a client, if it is still there: a frame that nobody acknowledges.
void clients_send_bytes(Clients* clients, int64_t number, const void* bytes, size_t size);

/// Says goodbye to all, and waits a moment until they are gone.
void clients_part(Clients* clients);

// ---- on the engine's thread

/// When a client is ready for a frame of this moment, by the clock [s]; INFINITY = none is. Moments
/// are numbers that change with every step and edit.
double clients_ready_at(Clients* clients, int64_t moment);

/// Takes a shot for each client that is ready now; INFINITY = that will be, if it is left in peace.
/// Returns the last failure; the others have their shots all the same.
GullyStatus clients_shoot(Clients* clients, const Scenery* scenery, double now);

/// All planes that some client wants.
unsigned clients_planes(Clients* clients);

/// Another session has begun: nothing is wanted any more.
void clients_forget(Clients* clients);

#endif
