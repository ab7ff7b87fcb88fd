/** Files that are made in the browser from what the page already holds. */

export function dataAddress(mediaType: string, text: string): string {
  return `data:${mediaType};charset=utf-8,${encodeURIComponent(text)}`;
}

/** Dots for each unit of the drawing: fine enough for print at the width of a page. */
const SCALE = 3;

/** The drawing as PNG. Rejects where the browser cannot draw it. */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = dataAddress("image/svg+xml", svg);
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SCALE * image.naturalWidth;
  canvas.height = SCALE * image.naturalHeight;
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("This browser gives no canvas to draw on.");
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!made) throw new Error("This browser made no PNG of the drawing.");
  return made;
}

export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
