import type { Selectable } from 'kysely';
import type { DB } from './schema.generated.ts';

/** A row of a table as it is read, or the named columns of one. */
export type Row<
  T extends keyof DB,
  C extends keyof Selectable<DB[T]> = keyof Selectable<DB[T]>,
> = Readonly<Pick<Selectable<DB[T]>, C>>;
