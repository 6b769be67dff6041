import { refuseDryRun } from '#kernel/dry-run.ts';

/** Moves the rest of the work to the second queue, which keeps the order of the first. */
type Leave = <T>(next: () => Promise<T>) => Promise<T>;

/**
 * One queue of work for each account of this process, and a second one for what each work leaves: it runs in the same
 * order while the next work runs. The database orders the processes among themselves.
 */
export function createAccountQueues() {
  const working = new Map<string, Promise<unknown>>();
  const following = new Map<string, Promise<unknown>>();
  const queue = <T>(
    in_: Map<string, Promise<unknown>>,
    account: string,
    work: () => Promise<T>,
  ) => {
    const before = in_.get(account) ?? Promise.resolve();
    const mine = before.then(work, work);
    const ended = mine.catch(() => undefined);
    in_.set(account, ended);
    void ended.then(() => in_.get(account) === ended && in_.delete(account));
    return mine;
  };
  return {
    async inTurn<T>(account: string, work: (leave: Leave) => Promise<T>): Promise<T> {
      refuseDryRun('chain sign');
      return queue(working, account, () => work((next) => queue(following, account, next)));
    },
  };
}
