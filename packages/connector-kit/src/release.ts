/**
 * Gives the memory of bytes back that nobody looks at any more. Left to the garbage collector, megabytes that pass
 * through make it run so often that a load takes a third longer. Bytes that share their memory with others stay.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > 0) buffer.transfer(0)
}
