// The generated TypeScript client against the real service: reads a photo, corrects it, asks for the rules.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import createClient from "openapi-fetch";
import type { paths } from "./generated/tilesight.js";

const baseUrl = process.argv[2];
assert(baseUrl, "the address of the service");
const client = createClient<paths>({ baseUrl });

// A photo as the whole body: the generated types say so for each kind of picture.
const photo = await readFile(new URL("../../../../datasets/samples/demo.jpg", import.meta.url));
const read = await client.POST("/v1/hands", {
  params: { query: { seat: "S", rulesets: ["mcr-wmo", "mcr-mil"] } },
  body: photo as unknown as string,
  bodySerializer: (body) => body as unknown as BodyInit,
  headers: { "Content-Type": "image/jpeg" },
});
assert.ok(read.data && "reading" in read.data, JSON.stringify(read.error));
const { reading, scores } = read.data;
assert.equal(scores?.length, 2);

// The same photo with an answer of a few kilobytes.
const compact = await client.POST("/v1/hands", {
  params: { query: { seat: "S", detail: "compact" } },
  body: photo as unknown as string,
  bodySerializer: (body) => body as unknown as BodyInit,
  headers: { "Content-Type": "image/jpeg" },
});
assert.ok(compact.data && "hand" in compact.data, JSON.stringify(compact.error));
assert.equal(compact.data.hand.notation, reading.hand.notation);
assert.equal(compact.data.score?.total, reading.score?.total);

const typed = await client.POST("/v1/score", { body: { hand: reading.hand, context: { seat: "S" } } });
assert.ok(typed.data && "total" in typed.data, JSON.stringify(typed.error));
const riichi = await client.POST("/v1/score", {
  body: { hand: "123m406p789s55m34s5s", context: { ruleset: "riichi-tenhou", riichi: "double", dora_indicators: ["4m"] } },
});
assert.ok(riichi.data && "han" in riichi.data, JSON.stringify(riichi.error));
assert.equal(riichi.data.fu_parts?.reduce((sum, { fu }) => sum + fu, 0), riichi.data.fu);
const refused = await client.POST("/v1/score", { body: { hand: "11m" } });
assert.equal(refused.error?.type, "urn:tilesight:problem:invalid-hand");

const corrected = await client.POST("/v1/readings/answers", {
  body: { reading: { hand: reading.hand }, hand: "123456789m11pFFF" },
});
assert.ok(corrected.data, JSON.stringify(corrected.error));
assert.ok((corrected.data.changes?.tiles.length ?? 0) > 0);

const rules = await client.GET("/v1/rulesets", { params: { header: { "Accept-Language": "sv" } } });
assert.equal(rules.data?.rulesets[0]?.lines[0]?.names.zh, "大四喜");
console.log(`a photo read as ${reading.hand.notation}, ${typed.data.total} points`);
