import { readFile } from 'node:fs/promises';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const STARTS_PROCESSES = /from '[^']*(?:service|child)\.ts'|node:child_process/;
/** So many others go before each of them. */
const BETWEEN = 3;

/**
 * Files that start processes take longest and mostly wait: early, so that none is left at the end, and
 * spread, so that the others use the time in which these wait.
 */
export class WaitingEarly extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = await Promise.all(
      sorted.map(async ({ moduleId }) => STARTS_PROCESSES.test(await readFile(moduleId, 'utf8'))),
    );
    const waiting = sorted.filter((_, i) => waits[i]);
    const others = sorted.filter((_, i) => !waits[i]);
    const spread = waiting.flatMap((file) => [...others.splice(0, BETWEEN), file]);
    return [...spread, ...others];
  }
}
