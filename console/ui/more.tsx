import { Button } from './button.tsx';

interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

/** The next page of a list, below the shown one. */
export const More = ({ of }: { of: Pages }) =>
  of.hasNextPage && (
    <p className="more">
      <Button aria-disabled={of.isFetchingNextPage} onClick={() => of.fetchNextPage()}>
        {of.isFetchingNextPage ? 'One moment…' : 'Show more'}
      </Button>
    </p>
  );
