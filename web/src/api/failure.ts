/** An error as a problem that the page shows; every part of the page throws these. */
import type { Problem } from './types';

const PROBLEM = 'urn:tilesight:problem:';

export class Failure extends Error {
  constructor(readonly problem: Problem) {
    super(problem.title);
  }

  /** The stable end of the problem's type, such as `no-hand`. */
  get kind(): string {
    return this.problem.type.startsWith(PROBLEM) ? this.problem.type.slice(PROBLEM.length) : 'other';
  }
}

/** A failure that the page itself finds; 0 where no server answered. */
export const failure = (kind: string, status = 0): Failure =>
  new Failure({ type: PROBLEM + kind, title: kind, status });

/** An error as a problem to show. */
export const asFailure = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure({ type: `${PROBLEM}other`, title: String(error), status: 0 });
