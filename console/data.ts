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

const ME = ['GET /console/me'];
/** What waits for a person is to be seen soon after it does. */
export const SOON_MS = 10_000;
/** After that nobody looks: a page that went on asking would keep its log-in open for whoever comes by. */
const AWAKE_MS = 10 * 60_000;

/** Whoever is told 401 is signed in no more: the page shows the log-in, and what was open stays in the address. */
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

/** Who is signed in; null where nobody is. */
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

/** However that ends, nothing of what was shown stays. */
export const signOut = (): Promise<unknown> =>
  ask('DELETE /console/session', {}).finally(() => location.assign('/console'));

interface Often {
  /** Asked again after so long, while somebody is there. */
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
) =>
  useInfiniteQuery({
    queryKey: [id, query],
    queryFn: ({ pageParam, signal }) =>
      ask(id, { query: { ...query, before: pageParam } } as Input<K>, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: nextOf,
  });

/** A change; afterwards everything that is shown is asked for anew. */
export function useChange<K extends EndpointId>(id: K) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<K>) => ask(id, input),
    onSuccess: () => queries.invalidateQueries(),
  });
}

/** What is made and told once: by no focus of the window is it made anew, and nothing of it stays. */
export const useSecret = <K extends EndpointId>(id: K, input: Input<K>) =>
  useQuery({
    queryKey: [id],
    queryFn: () => ask(id, input),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
