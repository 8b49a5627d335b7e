/** A small app's use of the package: a typed hand, a photo, and an error. */
import { init, Problem, Reader, score } from 'tilesight';

/** Returns the total of a hand and the hand of a photo. */
export async function run(photo) {
  await init();
  const { total } = score('[EEE,2]123m456p789s5s5s|SE1000');
  const reader = await Reader.create();
  const { reading } = await reader.read(photo);
  const refused = await reader.read(new Blob(['x'])).catch((error) => error instanceof Problem && error.type);
  reader.close();
  return { total, hand: reading.hand.notation, refused };
}
