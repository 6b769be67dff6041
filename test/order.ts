import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of files that start programs: what each is called by which test/tidy/long.test.ts holds. */
export const LONG = '.long.test.ts';
/** So many others go before each of them. */
const BETWEEN = 3;

/**
 * Files that start programs take longest and mostly wait: early, so that none is left at the end, and
 * spread, so that the others use the time in which these wait.
 */
export class WaitingEarly extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith(LONG);
    const waiting = sorted.filter(isLong);
    const others = sorted.filter((file) => !isLong(file));
    const spread = waiting.flatMap((file) => [...others.splice(0, BETWEEN), file]);
    return [...spread, ...others];
  }
}
