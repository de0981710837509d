"""What does it cost to begin? Importing, beside the libraries that it stands on."""


def timeraw_sparsebm25():
    return "import sparsebm25"


def timeraw_numpy_and_scipy():
    return "import numpy, scipy.sparse"
