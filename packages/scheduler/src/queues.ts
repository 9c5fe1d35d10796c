/** Runs what has the same name one after the other, and everything else side by side. */
export class Queues {
  private readonly tails = new Map<string, Promise<void>>();

  add<T>(name: string, work: () => Promise<T>): Promise<T> {
    const done = (this.tails.get(name) ?? Promise.resolve()).then(work);
    const tail: Promise<void> = done
      .then(
        () => {},
        // Whoever asked for the work is told; the next in line goes on.
        () => {},
      )
      .then(() => {
        if (this.tails.get(name) === tail) this.tails.delete(name);
      });
    this.tails.set(name, tail);
    return done;
  }

  /** Waits until nothing is left to do. */
  async idle(): Promise<void> {
    while (this.tails.size > 0) await Promise.all(this.tails.values());
  }
}
