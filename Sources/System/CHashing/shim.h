#pragma once
#include <openssl/evp.h>
#include <xxhash.h>
