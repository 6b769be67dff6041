import { Readable } from 'node:stream';
import { wrongField } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { BatchDeps } from '../deps.ts';
import type { DraftOrder } from '../draft.ts';
import type { SentRow } from '../typed-rows.ts';
import type { ImportedBatch } from './imported.ts';
import { readImport, readImportedFile } from './read-import.ts';

interface Sent {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly query: Pick<DraftOrder, 'name' | 'source_wallet_id' | 'quote_id'>;
  readonly body: Pick<ImportedBatch, 'name' | 'source_wallet_id' | 'execute_at'> &
    Pick<DraftOrder, 'funding' | 'quote_id'> & {
      readonly items?: readonly Omit<SentRow, 'line'>[];
      readonly file_id?: string;
    };
}

type Read = Omit<DraftOrder, 'caller' | 'request' | 'operation'>;

/** A batch in whichever form it was sent: JSON, a file, or the id of a file. */
export async function readBatch(
  deps: Pick<BatchDeps, 'db' | 'files'>,
  { caller, request, query, body }: Sent,
): Promise<Read> {
  if (request.bytes !== undefined) {
    const type = String(request.headers['content-type'] ?? '');
    return joined(await readImport(type, bytesOf(request)), query);
  }
  const { items, file_id, ...given } = body;
  for (const name of ['name', 'source_wallet_id', 'quote_id'] as const)
    if (query[name] !== undefined) throw wrongField(name, 'belongs into the body of JSON');
  if ((items === undefined) === (file_id === undefined))
    throw wrongField('items', 'or file_id is required, and only one of them');
  if (file_id !== undefined)
    return { ...joined(await readImportedFile(deps, caller, file_id), given), file_id };
  return { ...given, rows: (items ?? []).map((item, n) => ({ ...item, line: n + 1 })) };
}

/** What a message says itself stays; a wallet beside it has to be the same. */
function joined(read: ImportedBatch, given: Partial<Read>): Read {
  const { source_wallet_id: wallet } = read;
  if (wallet !== undefined && (given.source_wallet_id ?? wallet) !== wallet)
    throw wrongField('source_wallet_id', 'is another wallet than DbtrAcct names');
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...read, ...Object.fromEntries(known) };
}

/** A body that is not read to its end stays open: to close it would close the connection before the refusal is sent. */
const bytesOf = ({ bytes }: RequestFacts): AsyncIterable<Buffer> =>
  (bytes ?? Readable.from([])).iterator({ destroyOnReturn: false });
