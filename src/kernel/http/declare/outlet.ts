/** Where a stream is written to. */
export interface Outlet {
  write(text: string): void;
  /** Bytes that wait for the other side to take them. */
  readonly waiting: number;
  /** Calls back when none of them wait any more. */
  onDrained(heard: () => void): void;
  /** Calls back once it is over: the other side is gone, or has taken all there was. */
  onEnd(heard: () => void): void;
  /** Nothing more comes; what waits is still sent. */
  end(): void;
  /** Ends it at once, and drops unsent data: the other side may never take it. */
  drop(): void;
}
