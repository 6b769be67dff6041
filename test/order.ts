import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** How files that take long are called, for a reason that test/tidy/long.test.ts knows. */
export const LONG = '.long.test.ts';
/** So many others go before each of them. */
const BETWEEN = 3;

/**
 * Long files mostly wait, for the programs that they start or for what comes back: early, so that none is left at the
 * end, and spread, so that the others use the time in which these wait.
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
