import {
  MutationCache,
  QueryCache,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type Answer, ask, type EndpointId, Failure, type Input } from './api.ts';
import type { Me } from './shapes.ts';
import type { NamedPerson } from './team-shapes.ts';

const ME = ['GET /console/me'];
/** Work that needs a person appears soon. */
export const SOON_MS = 10_000;
/** After that the page stops polling: otherwise it would keep its log-in open for any passer-by. */
const AWAKE_MS = 10 * 60_000;

/** A 401 signs the user out: the page shows the log-in, and the address keeps the screen. */
const signedOut = (error: Error) => {
  if (error instanceof Failure && error.status === 401) client.setQueryData(ME, null);
};

export const client = new QueryClient({
  queryCache: new QueryCache({ onError: signedOut }),
  mutationCache: new MutationCache({ onError: signedOut }),
  defaultOptions: {
    queries: {
      // A refusal stays one.
      retry: (count, error) =>
        count < 2 && error instanceof Failure && (error.status === 0 || error.status >= 502),
    },
  },
});

let touched = Date.now();
const isAwake = (): boolean => Date.now() - touched < AWAKE_MS;
const touch = () => {
  const wasAwake = isAwake();
  touched = Date.now();
  if (!wasAwake) void client.invalidateQueries();
};
for (const sign of ['pointermove', 'pointerdown', 'keydown', 'wheel'])
  addEventListener(sign, touch, { passive: true });

/** The signed-in user, or null. */
export const useMe = () =>
  useQuery({
    queryKey: ME,
    queryFn: async ({ signal }): Promise<Me | null> => {
      try {
        return (await ask('GET /console/me', {}, signal)).data;
      } catch (error) {
        if (error instanceof Failure && error.status === 401) return null;
        throw error;
      }
    },
    staleTime: 60_000,
  });

/** Every end of a session clears the data shown. */
export const signOut = (): Promise<unknown> =>
  ask('DELETE /console/session', {}).finally(() => location.assign('/console'));

interface Often {
  /** The polling interval while a user is there. */
  readonly every?: number;
}

export const useAsk = <K extends EndpointId>(id: K, input: Input<K>, { every }: Often = {}) =>
  useQuery({
    queryKey: [id, input],
    queryFn: ({ signal }) => ask(id, input, signal),
    ...(every !== undefined && { refetchInterval: () => isAwake() && every }),
  });

type Paged = { [K in EndpointId]: Input<K> extends { query: { before?: unknown } } ? K : never };
export type PagedId = Paged[EndpointId];

/** A list page by page; `nextOf` says from an answer before which row the next page is. */
export const usePages = <K extends PagedId>(
  id: K,
  query: object,
  nextOf: (answer: Answer<K>) => number | null | undefined,
  params?: object,
) =>
  useInfiniteQuery({
    queryKey: [id, query, params],
    queryFn: ({ pageParam, signal }) =>
      ask(id, { params, query: { ...query, before: pageParam } } as unknown as Input<K>, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: nextOf,
  });

type Listed = {
  [K in EndpointId]: Answer<K> extends Items ? K : never;
}[EndpointId];
interface Items {
  readonly data: { readonly items: readonly unknown[]; readonly next_cursor: string | null };
}

/** A list whose answers say with which cursor the next page is asked for. */
export const useItems = <K extends Listed>(id: K, query: object, params?: object) =>
  useInfiniteQuery({
    queryKey: [id, query, params],
    queryFn: ({ pageParam, signal }) =>
      ask(id, { params, query: { ...query, cursor: pageParam } } as unknown as Input<K>, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ data }: Items) => data.next_cursor,
  });

/** Numbers whose names are wanted in this moment: one request asks for all of them. */
let wanted:
  | { readonly ids: Set<number>; readonly found: Promise<readonly NamedPerson[]> }
  | undefined;

const NAMES_AT_ONCE = 100;

function nameOf(id: number): Promise<NamedPerson | null> {
  if (wanted === undefined || wanted.ids.size >= NAMES_AT_ONCE) {
    const ids = new Set<number>();
    const found = Promise.resolve().then(async () => {
      if (wanted?.ids === ids) wanted = undefined;
      const query = { ids: [...ids].sort((a, b) => a - b).join(',') };
      return (await ask('GET /console/people', { query })).data.people;
    });
    wanted = { ids, found };
  }
  const { ids, found } = wanted;
  ids.add(id);
  return found.then((people) => people.find(({ user_id }) => user_id === id) ?? null);
}

/** The name of a person; null where there is none that the reader may know. */
export const useName = (id: number) =>
  useQuery({ queryKey: ['name', id], queryFn: () => nameOf(id), staleTime: 10 * 60_000 });

/** A change; afterwards all data shown is read again. */
export function useChange<K extends EndpointId>(id: K) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<K>) => ask(id, input),
    onSuccess: () => queries.invalidateQueries(),
  });
}

/** A one-time answer, such as a secret: a focus of the window does not repeat it, and no cache keeps it. */
export const useSecret = <K extends EndpointId>(id: K, input: Input<K>) =>
  useQuery({
    queryKey: [id],
    queryFn: () => ask(id, input),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
