'use client';

import { useEffect, useState } from 'react';
import { run } from '../run.js';

/** The page reads a photo in the browser. */
export default function Page() {
  const [said, say] = useState('');
  useEffect(() => {
    fetch('/demo.avif')
      .then((response) => response.blob())
      .then(run)
      .then((found) => say(JSON.stringify(found)))
      .catch((error) => say(`failed: ${error?.stack ?? error}`));
  }, []);
  return <output>{said}</output>;
}
