/** The files of this package as bytes: fetched from an address, or unpacked from text. */

/** Returns the bytes at an address. */
export async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Returns the bytes of a file; text is base64 of gzip, as `packed.js` has it. */
export async function unpacked(content) {
  if (typeof content !== 'string') return content;
  const stream = new Blob([fromBase64(content)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
