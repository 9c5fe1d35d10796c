/** An item of a `WakeHeap`. It stores its own index, -1 while it is in no heap. */
export interface Heaped {
  heapIndex: number;
}

/** A binary heap ordered by instant, first in first out among equals. Any item can be removed by handle. */
export class WakeHeap<T extends Heaped> {
  private readonly items: T[] = [];
  private instants = new Float64Array(64);
  private orders = new Float64Array(64);
  private pushed = 0;

  get size(): number {
    return this.items.length;
  }

  /** The earliest instant, or Infinity when the heap is empty. */
  get nextAt(): number {
    return this.items.length === 0 ? Number.POSITIVE_INFINITY : (this.instants[0] as number);
  }

  push(item: T, at: number): void {
    if (this.items.length === this.instants.length) this.grow();
    this.pushed += 1;
    this.items.push(item);
    this.siftUp(this.items.length - 1, item, at, this.pushed);
  }

  /** Removes and returns the first item that is due at `now`, or null. */
  popDue(now: number): T | null {
    const top = this.items[0];
    if (top === undefined || this.nextAt > now) return null;
    this.remove(top);
    return top;
  }

  /** Removes an item. Does nothing if it is not in the heap. */
  remove(item: T): void {
    const hole = item.heapIndex;
    if (hole < 0) return;
    item.heapIndex = -1;
    const end = this.items.length - 1;
    const last = this.items.pop() as T;
    if (hole === end) return;
    const at = this.instants[end] as number;
    const order = this.orders[end] as number;
    this.siftUp(this.siftDown(hole, at, order), last, at, order);
  }

  private siftUp(from: number, item: T, at: number, order: number): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.before(at, order, parent)) break;
      this.move(parent, index);
      index = parent;
    }
    this.put(index, item, at, order);
  }

  private siftDown(from: number, at: number, order: number): number {
    let index = from;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= this.items.length) return index;
      if (child + 1 < this.items.length && this.childBefore(child + 1, child)) child += 1;
      if (this.before(at, order, child)) return index;
      this.move(child, index);
      index = child;
    }
  }

  private before(at: number, order: number, index: number): boolean {
    const other = this.instants[index] as number;
    return at < other || (at === other && order < (this.orders[index] as number));
  }

  private childBefore(one: number, other: number): boolean {
    return this.before(this.instants[one] as number, this.orders[one] as number, other);
  }

  private move(from: number, to: number): void {
    this.put(to, this.items[from] as T, this.instants[from] as number, this.orders[from] as number);
  }

  private put(index: number, item: T, at: number, order: number): void {
    this.items[index] = item;
    this.instants[index] = at;
    this.orders[index] = order;
    item.heapIndex = index;
  }

  private grow(): void {
    const instants = new Float64Array(this.instants.length * 2);
    const orders = new Float64Array(this.orders.length * 2);
    instants.set(this.instants);
    orders.set(this.orders);
    this.instants = instants;
    this.orders = orders;
  }
}
