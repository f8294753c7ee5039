#!/usr/bin/env python3
"""Writes the small files of made-up numbers that tests/data/numpy_test.cpp reads back.

Needs numpy and scipy. The tests need neither: the files are kept in tests/data/fixtures.
"""
import pathlib
import sys
import zipfile

import numpy as np
import scipy.io
import scipy.sparse

FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "tests/data/fixtures")

UNSIGNED = np.array([[0, 1, 100], [0, 50, 127]])
SIGNED = np.array([[0, -1, 100], [0, 50, -128]])
FLOATING = np.array([[0, -1.5, 100], [0, 0.25, -128]])
SPARSE = np.array([[0, 0, 0, 2, 0], [0, 0, 0, 0, 0], [-1, 0, 0, 0, 0.5]])
EDGES = np.array([[0, 1], [1, 2], [2, 2], [3, 0], [0, 1]])
FEATURES = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], dtype=np.float32)
LABELS = np.array([2, 0, 1, -1])
MASKS = np.ones((4, 10), dtype=bool)


def arrays_of_all_types():
    arrays = {"b1": UNSIGNED > 0}
    for order, word in (("<", "little"), (">", "big")):
        for kind, values in (("u", UNSIGNED), ("i", SIGNED), ("f", FLOATING)):
            for width in (1, 2, 4, 8):
                if (kind, width) != ("f", 1):
                    arrays[f"{kind}{width}_{word}"] = values.astype(f"{order}{kind}{width}")
    return arrays


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(FOLDER / "types.npz", **arrays_of_all_types())
    for version in ((1, 0), (2, 0), (3, 0)):
        with open(FOLDER / f"version{version[0]}.npy", "wb") as file:
            np.lib.format.write_array(file, FLOATING, version=version)
    np.save(FOLDER / "fortran.npy", np.asfortranarray(FLOATING))
    np.save(FOLDER / "fortran_sparse.npy", np.asfortranarray(SPARSE))
    np.save(FOLDER / "objects.npy", np.array([{"a": 1}, None]), allow_pickle=True)
    for form in ("csr", "csc", "coo"):
        scipy.sparse.save_npz(FOLDER / f"{form}.npz", scipy.sparse.csr_matrix(SPARSE).asformat(form))
    graph = dict(edges=EDGES, node_features=FEATURES, node_labels=LABELS, train_masks=MASKS)
    np.savez(FOLDER / "graph_stored.npz", **graph)
    np.savez_compressed(FOLDER / "graph_deflated.npz", **graph)
    np.savez_compressed(FOLDER / "graph_columns.npz", edges=EDGES.T.copy(), features=FEATURES,
                        label=LABELS, target=LABELS * 0.5)
    adjacency = np.zeros((4, 4), dtype=np.float32)
    adjacency[EDGES[:, 0], EDGES[:, 1]] = 1
    with zipfile.ZipFile(FOLDER / "dense.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in (("adj", adjacency), ("feat", FEATURES), ("label", LABELS)):
            with archive.open(f"dense_{name}.npy", "w") as file:
                np.lib.format.write_array(file, array)
    friends = scipy.sparse.csc_matrix(((adjacency + adjacency.T) > 0).astype(float))
    info = np.array([[1, 1, 90, 0, 5, 2006, 0], [1, 2, 91, 0, 5, 2007, 9],
                     [2, 0, 90, 90, 0, 0, 9], [1, 1, 0, 0, 7, 2006, 9]], dtype=np.uint16)
    for packed in (False, True):
        scipy.io.savemat(FOLDER / f"facebook{'_packed' if packed else ''}.mat",
                         {"A": friends, "local_info": info}, do_compression=packed)


if __name__ == "__main__":
    main()
