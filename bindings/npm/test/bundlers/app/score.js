/** An app that scores typed hands alone. */
import { init, score } from 'tilesight';

const said = document.querySelector('output');
init().then(() => {
  said.value = JSON.stringify({ total: score('[EEE,2]123m456p789s5s5s|SE1000').total });
});
