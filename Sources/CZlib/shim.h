#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H
#include <zlib.h>

/* Swift cannot import the macro deflateInit2. -15 means no zlib header, because zip has its own
   headers. */
static inline int czlib_deflate_raw(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}

/* Swift cannot import the macro inflateInit2 either. 31 means a gzip header and trailer, and the
   largest window. */
static inline int czlib_inflate_gzip(z_stream *stream) { return inflateInit2(stream, 31); }
#endif
