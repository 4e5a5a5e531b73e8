#ifndef CCRYPTO_SHIM_H
#define CCRYPTO_SHIM_H
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

/* Swift cannot import this macro, which consists of other macros. */
static const unsigned long ccrypto_rfc2253 = XN_FLAG_RFC2253;
#endif
