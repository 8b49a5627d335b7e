/** A fault of a request, as an error with the fields of RFC 9457. */
export class Problem extends Error {
  /** @param {{ type: string, title: string, status: number, detail: string, errors?: object[] }} problem */
  constructor(problem, options) {
    super(problem.detail, options);
    this.name = 'Problem';
    this.problem = problem;
    this.type = problem.type;
    this.title = problem.title;
    this.status = problem.status;
    this.detail = problem.detail;
    this.errors = problem.errors ?? [];
  }

  /** An error of the program, with the reason that the program gave. */
  static internal(cause, reason) {
    const detail = `the program failed: ${reason || cause.message}`;
    return new Problem({ type: 'urn:tilesight:problem:internal', title: 'Internal error', status: 500, detail }, { cause });
  }
}
