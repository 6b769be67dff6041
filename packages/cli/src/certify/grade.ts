import type { Receiver } from './receiver.ts';
import { TRIALS } from './trials.ts';

export interface Result {
  readonly trial: string;
  readonly expected: string;
  readonly passed: boolean;
  readonly fault?: string;
  readonly fatal: boolean;
  readonly deliveries: readonly { id: string; status: number; ms: number }[];
}

export type Grade = 'A' | 'B' | 'C' | 'D' | 'F';
export const GRADES: readonly Grade[] = ['A', 'B', 'C', 'D', 'F'];

/** Runs all trials, one after the other. */
export async function tried(
  receiver: Receiver,
  onResult: (result: Result) => unknown,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const { name, expected, isFatal, run } of TRIALS) {
    receiver.trace.length = 0;
    const fault = await run(receiver).catch((error) => String(error));
    const result: Result = {
      trial: name,
      expected,
      passed: fault === undefined,
      ...(fault !== undefined && { fault }),
      fatal: isFatal === true,
      deliveries: [...receiver.trace],
    };
    results.push(result);
    await onResult(result);
  }
  return results;
}

/** A: all of it. F: strangers are let in, or things are done twice. */
export function gradeOf(results: readonly Result[]): Grade {
  const failed = results.filter(({ passed }) => !passed);
  if (failed.some(({ fatal }) => fatal)) return 'F';
  const [grade] = GRADES.slice(Math.min(failed.length, 3));
  return grade ?? 'F';
}
