import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../run.js';

export const dynamic = 'force-dynamic';

/** The server reads the same photo. */
export async function GET() {
  const photo = await readFile(join(process.cwd(), 'public', 'demo.avif'));
  return Response.json(await run(photo));
}
