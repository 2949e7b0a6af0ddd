/** The kind of task that deletes a product with all that belongs to it. */
export const DELETING = 'product.delete'
