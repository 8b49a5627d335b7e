/** The page of an app without a framework. */
import { run } from './run.js';

const said = document.querySelector('output');
fetch('/demo.avif')
  .then((response) => response.blob())
  .then(run)
  .then((found) => {
    said.value = JSON.stringify(found);
  })
  .catch((error) => {
    said.value = `failed: ${error?.stack ?? error}`;
  });
