/** What hands over to the queue of what is to follow in the same order. */
type Leave = <T>(next: () => Promise<T>) => Promise<T>;

/**
 * Lets the work of an account go one after the other in this process, and what each hands on follow in the
 * same order, while the next one works. Others in other processes are kept apart by the database.
 */
export function createLanes() {
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
    inTurn: <T>(account: string, work: (leave: Leave) => Promise<T>): Promise<T> =>
      queue(working, account, () => work((next) => queue(following, account, next))),
  };
}
