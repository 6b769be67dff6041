import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Ending, Store, StoredCall } from './once.ts';

/** A store in one file, which only one process at a time may use: a line for each change, on the disk before it counts. */
export async function fileStore(path: string): Promise<Store & { end(): Promise<void> }> {
  await mkdir(dirname(path), { recursive: true });
  const calls = new Map<string, StoredCall>();
  const text = await readFile(path, 'utf8').catch(() => '');
  for (const line of text.split('\n')) apply(calls, line);
  const file = await open(path, 'a', 0o600);
  // A line that was cut by a crash must not take the next one with it.
  if (text !== '' && !text.endsWith('\n')) await file.appendFile('\n');
  let last: Promise<unknown> = Promise.resolve();
  const append = (entry: Entry): Promise<void> => {
    const write = async () => {
      await file.appendFile(`${JSON.stringify(entry)}\n`);
      await file.datasync();
      apply(calls, JSON.stringify(entry));
    };
    const written = last.then(write, write);
    last = written.catch(() => undefined);
    return written;
  };
  return {
    find: async (key) => calls.get(key),
    put: (call) => append({ put: call }),
    close: (key, ending) => append({ close: key, ending }),
    open: async () => [...calls.values()].filter(({ ending }) => ending === undefined),
    end: () => last.then(() => file.close()),
  };
}

type Entry = { readonly put: StoredCall } | { readonly close: string; readonly ending: Ending };

function apply(calls: Map<string, StoredCall>, line: string): void {
  const entry = parsed(line);
  if (!entry) return;
  if ('put' in entry) {
    calls.set(entry.put.key, entry.put);
    return;
  }
  const call = calls.get(entry.close);
  if (call) calls.set(entry.close, { ...call, ending: entry.ending });
}

function parsed(line: string): Entry | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
