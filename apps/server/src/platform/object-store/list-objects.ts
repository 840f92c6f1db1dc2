import type { ObjectInfo, ObjectStore } from './object-store.ts'

export async function* listObjects(store: ObjectStore): AsyncGenerator<ObjectInfo> {
  let after: string | undefined
  do {
    const page = await store.list('', { ...(after !== undefined && { after }) })
    yield* page.objects
    after = page.nextAfter
  } while (after !== undefined)
}
