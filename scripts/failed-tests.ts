import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The used fields of a file in vitest's report. */
export interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages: readonly string[];
  }[];
}

/** A line for each failed test, and for each file that has failed as a whole, with the first line of its error. */
export function failedTests(files: readonly FileReport[]): string[] {
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const line = (what: string, why = '') =>
      `FAILED ${relative('.', name)}${what}: ${stripVTControlCharacters(why).split('\n')[0]}`;
    const failed = assertionResults.filter((one) => one.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [line('', message)] : [];
    return failed.map((one) => line(` > ${one.fullName}`, one.failureMessages[0]));
  });
}
