/** What this page reads, scores and plays with. */
import { server } from '../api/client';
import type { Engine } from '../api/engine';
import { type Games, serverGames } from '../api/games';
import { device } from './device';
import { deviceGames } from './games';
import { ON_DEVICE } from './place';

export const engine: Engine = ON_DEVICE ? device : server;

export const games: Games = ON_DEVICE ? deviceGames : serverGames;
