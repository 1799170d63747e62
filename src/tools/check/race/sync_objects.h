/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What orders the threads of a PE: locks, barriers, atomic variables and the like, named by their
 * addresses. A thread releases at an object what it did and knows, and acquires what others have
 * released there.
 */
#ifndef TERN_CHECK_SYNC_OBJECTS_H
#define TERN_CHECK_SYNC_OBJECTS_H

/* Nothing happens while the PE has one thread only. The calling thread has to be an actor. */
void tern_check_sync_objects_release(const void *object);
void tern_check_sync_objects_acquire(const void *object);

/* The object does not exist any more. */
void tern_check_sync_objects_forget(const void *object);

#endif
