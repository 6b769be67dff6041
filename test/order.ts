import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The names of long files; test/tidy/long.test.ts has the rule. */
export const LONG = '.long.test.ts';
/** The number of other files before each of them. */
const BETWEEN = 3;

/**
 * Long files mostly wait for programs and answers: so they run early, lest one is left at the end, and spread, so
 * that the others use the waiting time.
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
