/** The parts of an open hand; each is used alone where the others do not matter. */
import type { Edit } from './edit';
import type { Photos } from './photos';
import type { Table } from './table';
import type { Verdict } from './verdict';

export interface Parts {
  readonly photos: Photos;
  readonly edit: Edit;
  readonly verdict: Verdict;
  readonly table: Table;
}
