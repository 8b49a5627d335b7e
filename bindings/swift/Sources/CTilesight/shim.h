/* The header is where pkg-config says. */
#include <tilesight.h>
