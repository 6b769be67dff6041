import { readFile } from 'node:fs/promises';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const STARTS_PROCESSES = /from '[^']*(?:service|child)\.ts'|node:child_process/;

/** Files that start processes take longest and mostly wait: first, so that none is left at the end. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = await Promise.all(
      sorted.map(async ({ moduleId }) => STARTS_PROCESSES.test(await readFile(moduleId, 'utf8'))),
    );
    return [...sorted.filter((_, i) => waits[i]), ...sorted.filter((_, i) => !waits[i])];
  }
}
