import { problem } from '../http/problems.ts'

const parcels = new Map<string, { place: string; at: string }[]>()

export async function handle(_body: unknown, [number = '']: string[]) {
  const stops = parcels.get(number)
  if (!stops) throw problem(404, 'No parcel has this number')
  return { number, latest: stops.at(-1), stops }
}
