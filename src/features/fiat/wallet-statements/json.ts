import { shownEntry, shownHead } from './shapes.ts';
import type { WalletStatement } from './statement.ts';

/** In the envelope of the API. Its `timestamp` is the end of the statement, so that the same statement has the same bytes. */
export async function* jsonStatement({ head, entries }: WalletStatement): AsyncGenerator<string> {
  yield `{"success":true,"data":${JSON.stringify(shownHead(head)).slice(0, -1)},"entries":[`;
  let isFirst = true;
  for await (const page of entries()) {
    const texts = page.map((entry) => JSON.stringify(shownEntry(head, entry)));
    yield `${isFirst ? '' : ','}${texts.join()}`;
    isFirst = false;
  }
  yield `]},"timestamp":${JSON.stringify(head.as_of)}}`;
}
