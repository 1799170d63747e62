/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asks the interpreter, if this process has one, for the frames of the calling thread. All
 * functions used exist in Python 3.9 and later, and are found by name. The thread waits for the
 * interpreter's lock, and may hold the records lock then. So no other thread may keep the
 * interpreter's lock during an OpenSHMEM call; ctypes and cffi release it.
 */
#include "tools/check/shared/python_line.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tools/check/shared/source_location.h"

/* A Python object. Functions return counted references to these, except for the frame. */
struct object;

static struct {
    int (*is_initialized)(void);
    void *(*thread_state)(void);
    int (*lock)(void); /* locks the interpreter, unless this thread has it locked */
    void (*unlock)(int before);
    struct object *(*frame)(void); /* the innermost one, without a reference */
    struct object *(*back)(struct object *frame);
    struct object *(*code)(struct object *frame);
    int (*line)(struct object *frame);
    struct object *(*attribute)(struct object *of, const char *name);
    const char *(*utf8)(struct object *text, ptrdiff_t *size);
    void (*hold)(struct object *object); /* take and drop a reference */
    void (*release)(struct object *object);
    void (*forget_error)(void);
    bool is_there;
} python;

static void *find(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);

    python.is_there = python.is_there && found;
    return found;
}

static void find_all(void)
{
    python.is_there = true;
    python.is_initialized = (int (*)(void))find("Py_IsInitialized");
    python.thread_state = (void *(*)(void))find("PyGILState_GetThisThreadState");
    python.lock = (int (*)(void))find("PyGILState_Ensure");
    python.unlock = (void (*)(int))find("PyGILState_Release");
    python.frame = (struct object * (*)(void)) find("PyEval_GetFrame");
    python.back = (struct object * (*)(struct object *)) find("PyFrame_GetBack");
    python.code = (struct object * (*)(struct object *)) find("PyFrame_GetCode");
    python.line = (int (*)(struct object *))find("PyFrame_GetLineNumber");
    python.attribute =
        (struct object * (*)(struct object *, const char *)) find("PyObject_GetAttrString");
    python.utf8 = (const char *(*)(struct object *, ptrdiff_t *))find("PyUnicode_AsUTF8AndSize");
    python.hold = (void (*)(struct object *))find("Py_IncRef");
    python.release = (void (*)(struct object *))find("Py_DecRef");
    python.forget_error = (void (*)(void))find("PyErr_Clear");
}

bool tern_check_python_line_is_caller(const char *path)
{
    const char *name = tern_check_source_location_base_name(path);

    return strncmp(name, "libffi.", 7) == 0 || strstr(name, ".cpython-") || strstr(name, ".abi3.");
}

/* Writes the frame's line. Returns whether the frame is in the program itself. */
static bool take_line(struct object *frame, char *text, size_t size)
{
    struct object *code = python.code(frame), *name = python.attribute(code, "co_filename");
    const char *path = name ? python.utf8(name, NULL) : NULL;
    bool is_own = path && !strstr(path, "/site-packages/") && !strstr(path, "/dist-packages/");

    if (path && (is_own || !text[0]))
        snprintf(text, size, "%s:%d", tern_check_source_location_base_name(path),
                 python.line(frame));
    else if (!path)
        python.forget_error();
    if (name)
        python.release(name);
    python.release(code);
    return is_own;
}

/*
 * Goes from the innermost frame outward to the first one of the program itself. If all frames are
 * in packages, the innermost one counts.
 */
static void take_frames(char *text, size_t size)
{
    struct object *frame = python.frame(), *next;

    if (frame)
        python.hold(frame);
    while (frame) {
        next = take_line(frame, text, size) ? NULL : python.back(frame);
        python.release(frame);
        frame = next;
    }
}

bool tern_check_python_line_read(char *text, size_t size)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int before;

    pthread_once(&once, find_all);
    text[0] = '\0';
    if (!python.is_there || !python.is_initialized() || !python.thread_state())
        return false;
    before = python.lock();
    take_frames(text, size);
    python.unlock(before);
    return text[0];
}
