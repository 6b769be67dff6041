/** How many places a subject may hold at the same time. */
export interface PlaceLimit {
  readonly subject: string;
  readonly most: number;
}

/** Counts what is in progress in this process. */
export interface AtOnce {
  held(subject: string): number;
  /** Takes a place of each; the answer gives them back, once. Otherwise answers the limit that has none left. */
  take<L extends PlaceLimit>(limits: readonly L[]): (() => void) | L;
}

export function createAtOnce(): AtOnce {
  const places = new Map<string, number>();
  const held = (subject: string): number => places.get(subject) ?? 0;
  return {
    held,
    take(limits) {
      const full = limits.find(({ subject, most }) => held(subject) >= most);
      if (full) return full;
      for (const { subject } of limits) places.set(subject, held(subject) + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        for (const { subject } of limits) {
          const left = held(subject) - 1;
          if (left > 0) places.set(subject, left);
          else places.delete(subject);
        }
      };
    },
  };
}
