import type { Stage } from './stage.ts';

/** How events of some types are really caused, by calls of the API and controls of the sandbox. */
export interface Recipe {
  readonly types: readonly string[];
  /** What happens, in a sentence. */
  readonly how: string;
  /** The mode that it needs, where it works in one only. */
  readonly mode?: 'mock' | 'live';
  /** Events that belong to the operator. */
  readonly isOperators?: true;
  /** It moves the clock of the service, for everybody. */
  readonly movesClock?: true;
  run(stage: Stage): Promise<void>;
}
